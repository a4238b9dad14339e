//! One contract, run on every engine; then what only one engine has to show.

#![cfg(test)]

mod cases;
mod cluster;
mod crash;
mod embedded;
mod engines;
mod fleets;
mod model;
mod nodes;
mod redis;
mod server;
#[cfg(feature = "redis-tls")]
mod tls;
mod torn;

/// Every case on every engine, each on a fresh store.
macro_rules! contract {
    ($($case:ident),* $(,)?) => {
        mod on_memory { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::memory().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        mod on_embedded { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::embedded().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        mod on_redis { $(#[tokio::test] async fn $case() {
            let engine = crate::engines::redis().await;
            crate::cases::$case(engine.store.clone()).await;
        })* }
        // Forming a cluster takes seconds: one serves all cases, one after the other.
        mod on_redis_cluster { #[tokio::test] async fn every_case() {
            let cluster = crate::nodes::Cluster::start(3, 0).await;
            $(
                println!("{}", stringify!($case)); // shown if it fails
                cluster.forget_everything().await;
                let store = wyrmgate::store::open(&cluster.url()).await.unwrap();
                crate::cases::$case(store).await;
            )*
        } }
    };
}

contract![
    a_new_session_reads_back_as_written,
    a_second_create_changes_nothing,
    a_retried_create_meets_the_first,
    a_commit_replaces_what_it_names_and_keeps_the_rest,
    a_secret_commit_leaves_the_version_alone,
    a_stale_commit_gets_what_is_there,
    a_commit_on_another_history_is_stale,
    a_commit_on_nothing_is_absent,
    a_known_key_wins_over_a_stale_revision,
    a_key_is_known_in_its_own_session_only,
    of_many_writers_one_wins_each_revision,
    of_many_retries_one_is_applied,
    events_page_without_gap_or_repeat,
    a_secret_is_only_read_by_asking_for_it,
    a_removed_session_leaves_nothing,
    an_expired_session_is_gone_everywhere,
    a_commit_can_move_the_expiry,
    a_list_is_in_order_and_pages_are_exact,
    a_list_of_equal_scores_pages_exactly,
    a_cursor_survives_the_item_it_names,
    a_listing_is_replaced_as_a_whole,
    indexes_do_not_mix,
    due_sessions_come_earliest_first,
    what_waits_is_offered_in_its_time,
    what_comes_earlier_is_not_overslept_and_what_moved_is_not_early,
    what_could_not_be_served_is_offered_again_and_holds_up_nobody,
    what_expires_before_its_time_is_not_offered,
    a_bell_rings_for_public_commits,
    a_bell_rings_for_removal,
    a_blob_stays,
    what_is_exported_can_be_imported,
    any_bytes_are_kept,
    the_store_is_well,
];
