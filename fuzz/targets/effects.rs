#![no_main]

libfuzzer_sys::fuzz_target!(
    init: wyrmgate_fuzz::write_seeds("effects"),
    |data: &[u8]| wyrmgate_fuzz::bodies::run(wyrmgate_fuzz::bodies::effects::run, data)
);
