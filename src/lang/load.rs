pub struct Loaded; pub fn load(){} pub fn load_dir(){}
