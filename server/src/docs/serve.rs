//! Pages over HTTP.

use actix_web::http::header::{self, ContentType, EntityTag, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, web};
use percent_encoding::percent_decode_str;

use super::pages::{Kept, Pages};
use crate::actix::{empty, offer};
use crate::contract::coding::Coding;
use crate::contract::{self, address, cache, pieces};
use crate::options::HttpOptions;

/// Everything that a page may do: load what stands beside it, and call the service it describes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      connect-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'; require-trusted-types-for 'script'";

pub(super) async fn serve(
    request: HttpRequest,
    pages: web::Data<Pages>,
    options: web::Data<HttpOptions>,
) -> HttpResponse {
    let response = empty::held_back(answer_at(&request, &pages, &options));
    let response = if request.method() == Method::HEAD {
        empty::bodiless(response)
    } else {
        response
    };
    offer::closing(offer::is_made(&request), response)
}

fn answer_at(request: &HttpRequest, pages: &Pages, options: &HttpOptions) -> HttpResponse {
    if !options.accepts_host(request) {
        return contract::misdirected();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return HttpResponse::MethodNotAllowed()
            .insert_header((header::ALLOW, "GET, HEAD"))
            .finish();
    }
    // The site says what the descriptions say, so whoever must not see one does not see it.
    let refusal = pages
        .services()
        .iter()
        .find_map(|service| contract::refusal(service, request));
    if let Some(refusal) = refusal {
        return refusal;
    }
    let control = cache::description_control(pages.services());
    let fields = cache::fields_of_descriptions(pages.services());
    let mut response = page(request, pages);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(control));
    headers.insert(header::VARY, cache::vary("Accept-Encoding", fields));
    response
}

fn page(request: &HttpRequest, pages: &Pages) -> HttpResponse {
    let Some(below) = address::below_mount(request) else {
        // Links are relative to the folder, so the address has to be one.
        let folder = request.uri().path().rsplit('/').next().unwrap_or_default();
        return HttpResponse::PermanentRedirect()
            .insert_header((header::LOCATION, format!("{folder}/")))
            .finish();
    };
    let path = percent_decode_str(below).decode_utf8_lossy();
    match pages.page(&path) {
        Some(kept) => pieces::for_all(answer(request, kept)),
        None => guarded(StatusCode::NOT_FOUND)
            .content_type(ContentType::plaintext())
            .body("There is no such page.\n"),
    }
}

fn answer(request: &HttpRequest, kept: &Kept) -> HttpResponse {
    let coding = Coding::preferred(request);
    let tag = coding.tag(&kept.hash);
    if cache::has(request, &tag) {
        return headed(StatusCode::NOT_MODIFIED, tag).finish();
    }
    let mut response = headed(StatusCode::OK, tag);
    response.insert_header((header::CONTENT_TYPE, kept.content_type));
    if coding == Coding::Gzip {
        response.insert_header((header::CONTENT_ENCODING, "gzip"));
        return response.body(kept.compressed.clone());
    }
    response.body(kept.text())
}

fn headed(status: StatusCode, tag: EntityTag) -> HttpResponseBuilder {
    let mut response = guarded(status);
    response.insert_header(header::ETag(tag));
    response
}

fn guarded(status: StatusCode) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    response
        .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"));
    response
}
