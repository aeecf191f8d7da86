-- What shipping partners need: a partner may ship for many companies, and asks for the open ones, or those of some time,
-- as their owners do. Fulfillments are counted for whoever sees them.
set local lock_timeout = '10s';

-- How many of which line were in the parcel, once it is shipped: what is given back later was shipped all the same.
alter table fulfillments add column shipped_lines json;

drop index fulfillments_partner;
-- The time is in the keys so that a walk in the order of ids looks at rows that are asked for, and at no others.
create index fulfillments_partner on fulfillments (partner_id, id, created_at)
  where partner_id is not null and not cancelled;
create index fulfillments_partner_status on fulfillments (partner_id, status, id, created_at)
  where partner_id is not null and not cancelled;
create index fulfillments_partner_created_at on fulfillments (partner_id, created_at, id)
  where partner_id is not null and not cancelled;

insert into counters (company_id, resource, slot, amount)
select seen_by, 'fulfillments', 0, count(*)
from (
  select company_id as seen_by from fulfillments where not cancelled
  union all
  select partner_id from fulfillments where not cancelled and partner_id is not null
) as seen
group by seen_by;
