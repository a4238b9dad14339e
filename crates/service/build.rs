//! Takes the files of Swagger UI that `/docs/` needs out of the vendored archive. They stay compressed: a member of a zip
//! archive and a gzip file contain the same stream, so a header and a trailer make one of the other. Joins the scripts of the
//! page.

use std::error::Error;

#[cfg(feature = "pages")]
#[path = "build/script.rs"]
mod script;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "pages")]
    script::join()?;
    #[cfg(feature = "docs-ui")]
    swagger::extract()?;
    Ok(())
}

#[cfg(feature = "docs-ui")]
mod swagger {
    use std::error::Error;
    use std::io::{Cursor, Read, Seek};
    use std::path::Path;

    use zip::CompressionMethod;
    use zip::read::{ZipArchive, ZipFile};

    /// The files of the archive that the page loads.
    const FILES: [&str; 2] = ["swagger-ui.css", "swagger-ui-bundle.js"];
    /// The header of a gzip file without a name, a time or a system (RFC 1952, 2.3).
    const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

    /// Writes each file to the output folder, with `.gz` behind its name.
    pub fn extract() -> Result<(), Box<dyn Error>> {
        let out = std::env::var_os("OUT_DIR").ok_or("cargo has named no output folder")?;
        let bytes = Cursor::new(utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED);
        let mut archive = ZipArchive::new(bytes)?;
        for name in FILES {
            let index = position(&archive, name).ok_or(name)?;
            let file = as_gzip(archive.by_index_raw(index)?)?;
            std::fs::write(Path::new(&out).join(format!("{name}.gz")), file)?;
        }
        Ok(())
    }

    /// Returns the number of a member of the folder `dist`, whose parent carries the version in its name.
    fn position<R: Read + Seek>(archive: &ZipArchive<R>, name: &str) -> Option<usize> {
        let end = format!("/dist/{name}");
        let is_it = |path: &str| path.ends_with(&end) && path.matches('/').count() == 2;
        archive
            .file_names()
            .position(|path| path.is_ok_and(|path| is_it(&path)))
    }

    fn as_gzip<R: Read>(mut member: ZipFile<'_, R>) -> Result<Vec<u8>, Box<dyn Error>> {
        if member.compression() != CompressionMethod::DEFLATE {
            return Err("the archive is compressed in another way".into());
        }
        let (checksum, size) = (member.crc32(), u32::try_from(member.size())?);
        let mut file = HEADER.to_vec();
        member.read_to_end(&mut file)?;
        file.extend(checksum.to_le_bytes());
        file.extend(size.to_le_bytes());
        Ok(file)
    }
}
