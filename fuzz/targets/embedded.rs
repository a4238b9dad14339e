#![no_main]

libfuzzer_sys::fuzz_target!(
    init: {
        wyrmgate_fuzz::write_seeds("embedded");
        // A panic of the storage library is caught where it happens, and only one that gets past that counts.
        std::panic::set_hook(Box::new(|_| ()));
    },
    |data: &[u8]| wyrmgate_fuzz::bodies::run(wyrmgate_fuzz::bodies::embedded::run, data)
);
