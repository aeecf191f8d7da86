-- How content was used, by day and product, for the statistics: adding up the uses of a year took seconds. A use only appends
-- a row, and the worker adds the rows up. Readers add both.
set local lock_timeout = '10s';

create table usage_changes (
  company_id bigint not null,
  -- The worker finds the day in the time zone of the company, so that a use does not have to.
  at timestamptz(0) not null,
  product_key bigint not null,
  product_id text not null,
  plays bigint not null,
  downloads bigint not null,
  seconds bigint not null
);

create index usage_changes_company on usage_changes (company_id);

-- The days stay when the uses are deleted because of their age.
create table usage_days (
  company_id bigint not null references companies (id),
  day date not null,
  product_key bigint not null,
  product_id text not null,
  plays bigint not null,
  downloads bigint not null,
  -- How long it was played.
  seconds bigint not null,
  primary key (company_id, day, product_key, product_id)
) with (fillfactor = 80);

insert into usage_days
select owned.company_id, day, product_key, product_id, count(*) filter (where action = 'play'),
  count(*) filter (where action = 'download'), coalesce(sum(seconds), 0)
from (
  select uses.company_id, entitlement_id, action, null::int as seconds,
    (created_at at time zone 'UTC' + coalesce(zone.utc_offset, 0) * interval '1 minute')::date as day
  from entitlement_uses as uses
  left join (select distinct on (company_id) company_id, time_zone as utc_offset from users order by company_id, id) as zone
    on zone.company_id = uses.company_id
  where kind = 'use' and code = 'allowed' and action in ('play', 'download')
  union all
  select company_id, entitlement_id, '', seconds, day from played_days
) as used
join entitlements as owned on owned.company_id = used.company_id and owned.id = used.entitlement_id
where not owned.test
group by owned.company_id, day, product_key, product_id;

-- Nobody reads the uses by time any more.
drop index entitlement_uses_time;
