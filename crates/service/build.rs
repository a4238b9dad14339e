//! Takes the files of Swagger UI that `/docs/` needs out of the vendored archive. They stay compressed: a member of a zip
//! archive and a gzip file contain the same stream, so a header and a trailer make one of the other.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "docs-ui")]
    swagger::extract();
}

#[cfg(feature = "docs-ui")]
mod swagger {
    use std::io::{Cursor, Read};
    use std::path::Path;

    use zip::read::{ZipArchive, ZipFile};

    /// The files of the archive that the page loads.
    const FILES: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];
    /// The header of a gzip file without a name, a time or a system (RFC 1952, 2.3).
    const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

    /// Writes each file to the output folder, with `.gz` behind its name.
    pub fn extract() {
        let out = std::env::var_os("OUT_DIR").expect("cargo names the output folder");
        let bytes = Cursor::new(utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED);
        let mut archive = ZipArchive::new(bytes).expect("the vendored archive opens");
        for name in FILES {
            let index = position(&archive, name);
            let member = archive.by_index_raw(index).expect("the member can be read");
            let path = Path::new(&out).join(format!("{name}.gz"));
            std::fs::write(path, as_gzip(member)).expect("the output folder can be written");
        }
    }

    /// Returns the number of a member of the folder `dist`, whose parent carries the version in its name.
    fn position<R: Read + std::io::Seek>(archive: &ZipArchive<R>, name: &str) -> usize {
        let end = format!("/dist/{name}");
        archive
            .file_names()
            .position(|path| {
                let path = path.expect("names are UTF-8");
                path.ends_with(&end) && path.matches('/').count() == 2
            })
            .unwrap_or_else(|| panic!("the archive has no {name}"))
    }

    fn as_gzip<R: Read>(mut member: ZipFile<'_, R>) -> Vec<u8> {
        assert_eq!(member.compression(), zip::CompressionMethod::DEFLATE);
        let (checksum, size) = (member.crc32(), member.size());
        let size = u32::try_from(size).expect("a file of less than 4 GiB");
        let mut file = HEADER.to_vec();
        member.read_to_end(&mut file).expect("the member is whole");
        file.extend(checksum.to_le_bytes());
        file.extend(size.to_le_bytes());
        file
    }
}
