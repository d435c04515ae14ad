//! The page for addresses that do not exist.

use docent_docs_gen::Site;

use crate::library::library;

#[test]
fn a_page_that_does_not_exist_names_pages_with_similar_names() {
    let site = Site::builder(library())
        .guide("start.md", "# First steps")
        .clean_addresses(true)
        .build()
        .expect("fine");
    let near = |path: &str| {
        let page = String::from_utf8(site.not_found(path).bytes).expect("UTF-8");
        let (_, main) = page.split_once("<main").expect("its main part");
        let mut links: Vec<String> = main
            .split("<li><a href=\"")
            .skip(1)
            .filter_map(|link| Some(link.split_once('"')?.0.to_owned()))
            .collect();
        // The last one leads to the overview.
        assert!(links.pop().is_some(), "{main}");
        links
    };
    assert_eq!(near("bok.find"), ["book.find"]);
    assert_eq!(near("book.finds.html"), ["book.find"]);
    assert_eq!(near("types/Bock.md"), ["../types/Book"]);
    assert_eq!(near("error"), ["errors"]);
    assert_eq!(near("errors/1403")[0], "../errors/1404");
    assert_eq!(near("guide/strat"), ["../guide/start"]);
    assert_eq!(near("nothing-like-it"), [""; 0]);
    assert_eq!(near("<script>alert(1)</script>"), [""; 0]);
    assert!(near("end").len() <= 3);
}

#[test]
fn similar_names_of_several_services_come_with_the_service_of_the_folder_first() {
    let mut other = library();
    other.name = "Archive".to_owned();
    let site = Site::builder(library()).and(other).build().expect("fine");
    let link = |service: &str| {
        format!(
            "<a href=\"../{service}/book.find.html\" dir=\"auto\">book.find</a> <span class=\"count\">{service}</span>"
        )
    };
    for [first, second] in [["Library", "Archive"], ["Archive", "Library"]] {
        let page = site.not_found(&format!("{first}/book.fid")).bytes;
        let page = String::from_utf8(page).expect("UTF-8");
        let found = [first, second].map(|service| page.find(&link(service)));
        assert!(found[0].is_some() && found[0] < found[1], "{page}");
    }
}
