set local lock_timeout = '10s';

-- The company that a session shows and changes, if it is not that of its user: one that names it as its partner. A
-- partnership that has ended leaves the session with the user's own.
alter table sessions
  add column acting_company_id bigint references companies (id) on delete set null;
