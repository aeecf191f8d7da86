-- Jobs are claimed by kind, a few of each company in turn: the index leads from one company that has jobs to the next, and
-- to the oldest due job of each. Jobs that belong to no company count as those of company 0.
set local lock_timeout = '10s';

create index jobs_waiting on jobs (kind, coalesce(company_id, 0), due_at, id) where failed_at is null;
drop index jobs_due;
