-- How often content was begun, and how often it was played or read to its end, by day and product. A position says once that it
-- is finished, so that whoever watches the end again is not counted again.
set local lock_timeout = '10s';

alter table usage_changes
  add column started bigint not null default 0,
  add column finished bigint not null default 0;

alter table usage_days
  add column started bigint not null default 0,
  add column finished bigint not null default 0;

alter table content_positions add column finished boolean not null default false;
update content_positions set finished = true where fraction >= 0.97;

-- When they were begun was not kept: they count on the day of the last report.
insert into usage_days (company_id, day, product_key, product_id, plays, downloads, seconds, started, finished)
select owned.company_id,
  (position.updated_at at time zone 'UTC' + coalesce(zone.utc_offset, 0) * interval '1 minute')::date as day,
  product_key, product_id, 0, 0, 0, count(*), count(*) filter (where position.finished)
from content_positions as position
join entitlements as owned on owned.company_id = position.company_id and owned.id = position.entitlement_id
left join (select distinct on (company_id) company_id, time_zone as utc_offset from users order by company_id, id) as zone
  on zone.company_id = position.company_id
where not owned.test
group by owned.company_id, day, product_key, product_id
on conflict (company_id, day, product_key, product_id) do update
  set started = excluded.started, finished = excluded.finished;
