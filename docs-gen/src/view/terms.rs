//! The terms of calls: the required credentials, the limits, and how to repeat a call.

use docent_describe::{ProcedureDescription, RateKey};
use serde_json::Value;

use super::scope::PageScope;
use crate::json_text::text_of;
use crate::plan::PageTarget;
use crate::text::shown_name;

impl PageScope<'_> {
    pub(super) fn security(&self, procedure: &ProcedureDescription) -> Vec<Value> {
        let credentials = procedure.security.iter().map(|(name, scopes)| {
            let scheme = self.description().security_schemes.get(name);
            let words = scheme.and_then(|scheme| text_of(scheme, "description"));
            let scopes = scopes.iter().map(|scope| shown_name(scope));
            view!({
                "name": shown_name(name),
                // A scheme without a description has no anchor to link to.
                "href": scheme.map(|_| self.text.links.to_anchor(PageTarget::Overview, "access")),
                "text": words.map(|words| self.text.inline(words)),
                "scopes": scopes.collect::<Value>(),
            })
        });
        credentials.collect()
    }

    /// Returns a sentence about the required credentials, or `None` if anyone may call.
    pub(super) fn security_note(&self, procedure: &ProcedureDescription) -> Option<&str> {
        match procedure.security.len() {
            0 if !procedure.guarded => None,
            0 => Some(self.text.strings.get("access.unsaid")),
            1 => Some(self.text.strings.get("access.one")),
            _ => Some(self.text.strings.get("access.all")),
        }
    }

    /// Returns a sentence for each limit. For Docent's own services it also tells what happens above
    /// the limit.
    pub(super) fn limits(&self, procedure: &ProcedureDescription) -> Vec<String> {
        let Some(limits) = &procedure.limits else {
            return Vec::new();
        };
        let sentence = |limit: String, consequence: &str| {
            if self.is_foreign() {
                limit
            } else {
                format!("{limit} {}", self.text.strings.get(consequence))
            }
        };
        let concurrent = limits.concurrent.map(|calls| {
            let limit = self.text.strings.count(
                "limits.concurrent",
                usize::try_from(calls).unwrap_or(usize::MAX),
            );
            sentence(limit, "limits.concurrent.busy")
        });
        let rate = limits.rate.as_ref().map(|rate| {
            let key = match rate.by {
                RateKey::Caller => "limits.rate.caller",
                RateKey::Peer => "limits.rate.peer",
            };
            let calls = rate.calls.to_string();
            let seconds = rate.per.as_secs_f64().to_string();
            let limit = self.text.strings.with_all(key, &[&calls, &seconds]);
            sentence(limit, "limits.rate.refused")
        });
        concurrent.into_iter().chain(rate).collect()
    }

    /// Returns a sentence about how to repeat a call.
    pub(super) fn repeating(&self, procedure: &ProcedureDescription) -> Option<String> {
        const UNITS: [(&str, u64); 4] = [
            ("repeating.days", 86_400),
            ("repeating.hours", 3_600),
            ("repeating.minutes", 60),
            ("repeating.seconds", 1),
        ];
        let time = procedure.repeatable?;
        let seconds = time.as_secs();
        // The largest unit of which the time is a whole number.
        let unit = UNITS.into_iter().find(|(_, length)| seconds % length == 0);
        let time = if let Some((key, length)) = unit.filter(|_| time.subsec_nanos() == 0) {
            let count = usize::try_from(seconds / length).unwrap_or(usize::MAX);
            self.text.strings.count(key, count)
        } else {
            self.text
                .strings
                .with("repeating.seconds.many", &time.as_secs_f64().to_string())
        };
        Some(self.text.strings.with("repeating.text", &time))
    }
}
