fn main() {
    println!("{}", serde_json::to_string_pretty(&armada_bff::openapi()).unwrap());
}
