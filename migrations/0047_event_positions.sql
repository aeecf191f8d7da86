-- The worker gives every event its position when it dispatches it, one batch after another. Ids are drawn before a
-- transaction commits, so a reader that follows them can miss one; whoever follows positions cannot.
set local lock_timeout = '10s';

create sequence event_positions as bigint;

alter table events add column position bigint;

-- Nothing has sent events so far. They count as dispatched, so that the first webhook does not get old ones.
update events set position = id;

select setval('event_positions', coalesce((select max(id) from events), 0) + 1, false);

drop index events_undispatched;

alter table events drop column dispatched_at;

-- Companies take turns, so that one with many events does not keep the others waiting.
create index events_undispatched on events (company_id, id) where position is null;

-- Serves the log of a company and all its filters without a look at the table.
create unique index events_log on events (company_id, position) include (topic, created_at) where position is not null;
