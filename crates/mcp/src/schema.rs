//! The shapes of requests and answers, as JSON Schema for models and their hosts: those of the use cases, in the
//! plainest form that says the same, since hosts differ in what they understand.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, generate::SchemaSettings};
use serde_json::{Value, json};

/// The schema of a request.
pub(crate) fn request<T: JsonSchema>() -> Arc<JsonObject> {
    let mut root = root::<T>(SchemaSettings::draft2020_12());
    root.insert("additionalProperties".to_owned(), Value::Bool(false));
    Arc::new(root)
}

/// The schema of an answer: the shape of success, or `status` and `error`. One object for both, since some hosts
/// check failures against it too.
pub(crate) fn answer<T: JsonSchema>() -> Arc<JsonObject> {
    let mut root = root::<T>(SchemaSettings::draft2020_12().for_serialize());
    let success = root.remove("required").unwrap_or_else(|| json!([]));
    if let Some(Value::Object(properties)) = root.get_mut("properties") {
        properties.insert(
            "status".to_owned(),
            json!({"type": "string", "enum": ["error", "forbidden"], "description": "Only where the call failed."}),
        );
        properties.insert(
            "error".to_owned(),
            json!({"type": "string", "description": "What was wrong and what to do."}),
        );
    }
    root.insert("anyOf".to_owned(), json!([{"required": success}, {"required": ["status", "error"]}]));
    Arc::new(root)
}

fn root<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let settings = settings.with(|settings| {
        // Some hosts do not follow references.
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(plain as fn(&mut Schema)).transform(&mut schema);
    let Value::Object(mut root) = schema.to_value() else { return JsonObject::new() };
    root.remove("title");
    root.remove("description");
    root
}

/// An optional field is one that may be left out; that it may also be `null` is not worth a second type. Sizes of
/// numbers are ours, not the model's.
fn plain(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_mut_slice() {
            let only = only.take();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("enum") {
        choices.retain(|choice| !choice.is_null());
    }
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    let described = object.contains_key("description");
    if let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.retain(|form| form.get("type").is_none_or(|kind| kind != "null"));
        if let [only] = forms.as_mut_slice()
            && let Value::Object(only) = only.take()
        {
            object.remove("anyOf");
            for (name, value) in only {
                object.entry(name).or_insert(value);
            }
        }
    }
    // The field says what is meant; its forms need not repeat it.
    if described && let Some(Value::Array(forms)) = object.get_mut("anyOf") {
        forms.iter_mut().filter_map(Value::as_object_mut).for_each(|form| drop(form.remove("description")));
    }
    object.remove("format");
    if object.get("default").is_some_and(Value::is_null) {
        object.remove("default");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::json_schema;

    fn plainly(mut schema: Schema) -> Value {
        RecursiveTransform(plain as fn(&mut Schema)).transform(&mut schema);
        schema.to_value()
    }

    #[test]
    fn optional_is_not_a_second_type() {
        for (schema, expected) in [
            (json_schema!({"type": ["string", "null"], "default": null}), json!({"type": "string"})),
            (json_schema!({"type": ["integer", "null"], "format": "int64"}), json!({"type": "integer"})),
            (json_schema!({"type": ["string", "integer"]}), json!({"type": ["string", "integer"]})),
            (
                json_schema!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}], "description": "d"}),
                json!({"type": "string", "enum": ["a"], "description": "d"}),
            ),
            (
                json_schema!({"anyOf": [{"type": "string", "description": "s"}, {"type": "integer"}, {"type": "null"}],
                    "description": "a\nb"}),
                json!({"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "a b"}),
            ),
        ] {
            assert_eq!(plainly(schema), expected);
        }
    }
}
