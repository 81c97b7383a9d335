//! The comparison with the papers as tables in Markdown, for a page of documentation.

use std::path::Path;

use upstar_lab::Summary;

use super::Table;
use crate::failure::Failure;
use crate::markdown::replace_parts;

/// Writes both tables into a file, between their comments if it has them.
pub(super) fn write(file: &Path, tables: &[Table]) -> Result<(), Failure> {
    replace_parts(
        file,
        &[("tables", verdicts(tables)), ("readings", readings(tables))],
    )
}

fn seeds([fewest, most]: [usize; 2]) -> String {
    match fewest == most {
        true => most.to_string(),
        false => format!("{fewest}–{most}"),
    }
}

/// A chance with as many digits as it deserves.
fn chance(chance: f64) -> String {
    match chance {
        1.0 => "1".to_owned(),
        chance if chance >= 0.01 => format!("{chance:.2}"),
        chance => format!("{chance:.0e}"),
    }
}

/// The tables with printed numbers, and their sum.
fn verdicts(tables: &[Table]) -> String {
    let mut text = String::from(
        "| table | cells | agree | under a reading | differ | doubtful in the paper | open | seeds | chance | ranks |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let counts = |summary: &Summary| {
        let Summary {
            cells,
            agree,
            under,
            differ,
            doubtful,
            open,
            ..
        } = summary;
        format!("{cells} | {agree} | {under} | {differ} | {doubtful} | {open}")
    };
    let mut sum = Summary::default();
    for table in tables.iter().filter(|it| it.summary.unprinted == 0) {
        let summary = &table.summary;
        let (seeds, test) = (seeds(table.seeds), &table.test);
        let by_chance = match test.compared {
            0 => String::new(),
            _ => chance(test.chance),
        };
        let ranks = test.ranks.map_or(String::new(), |ranks| {
            format!("{ranks:.2}").replace('-', "−")
        });
        let (name, counts) = (&table.table, counts(summary));
        text += &format!("| {name} | {counts} | {seeds} | {by_chance} | {ranks} |\n");
        for (all, own) in [
            (&mut sum.cells, summary.cells),
            (&mut sum.agree, summary.agree),
            (&mut sum.under, summary.under),
            (&mut sum.differ, summary.differ),
            (&mut sum.doubtful, summary.doubtful),
            (&mut sum.open, summary.open),
        ] {
            *all += own;
        }
    }
    text + &format!("| together | {} | | | |\n", counts(&sum))
}

/// The tables that were run under other readings than theirs.
fn readings(tables: &[Table]) -> String {
    let mut text = String::from(
        "| table | its reading | agree / differ / open | other reading | cells run | agree / differ / open | seeds |\n\
         |---|---|---|---|---:|---|---:|\n",
    );
    let counts = |summary: &Summary| {
        // What another reading explains differs without it.
        let differ = summary.differ + summary.under;
        format!("{} / {differ} / {}", summary.agree, summary.open)
    };
    for table in tables {
        let own = table.reading.as_deref().unwrap_or("plain");
        for under in &table.readings {
            text += &format!(
                "| {} | {own} | {} | {} | {} | {} | {} |\n",
                table.table,
                counts(&table.summary),
                under.reading,
                under.summary.cells,
                counts(&under.summary),
                seeds(under.seeds),
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_what_is_between_comments_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("page.md");
        let page = "before\n<!-- tables -->\nold\n<!-- /tables -->\nbetween\n<!-- readings -->\nold\n<!-- /readings -->\nafter\n";
        fs::write(&file, page).unwrap();
        write(&file, &[]).unwrap_or_else(|_| panic!("it can be written"));
        let written = fs::read_to_string(&file).unwrap();
        assert!(
            written.starts_with("before\n<!-- tables -->\n| table"),
            "{written}"
        );
        assert!(
            written.ends_with("<!-- /readings -->\nafter\n"),
            "{written}"
        );
        assert!(
            written.contains("\nbetween\n") && !written.contains("old"),
            "{written}"
        );
        write(&file, &[]).unwrap_or_else(|_| panic!("it can be written"));
        assert_eq!(fs::read_to_string(&file).unwrap(), written);
        assert_eq!([1.0, 0.25, 3e-5].map(chance), ["1", "0.25", "3e-5"]);
    }
}
