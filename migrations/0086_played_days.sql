-- How long content was played, by day, from the places that players report. And the uses of a company by time, which its
-- statistics count.
set local lock_timeout = '10s';

create table played_days (
  company_id bigint not null,
  -- In the time zone of the company.
  day date not null,
  entitlement_id bigint not null,
  seconds integer not null,
  primary key (company_id, day, entitlement_id),
  foreign key (company_id, entitlement_id) references entitlements (company_id, id) on delete cascade
);

create index entitlement_uses_time on entitlement_uses (company_id, created_at);
