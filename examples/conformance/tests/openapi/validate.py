"""Validates OpenAPI documents: python validate.py URL..."""

import json
import sys
import urllib.request

from openapi_spec_validator import OpenAPIV31SpecValidator

for url in sys.argv[1:]:
    with urllib.request.urlopen(url) as response:
        document = json.load(response)
    OpenAPIV31SpecValidator(document).validate()
    print(f"openapi-spec-validator: {url}: {len(document['paths'])} paths are valid")
