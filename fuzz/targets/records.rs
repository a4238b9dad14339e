#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| wyrmgate_fuzz::bodies::records::run(data));
