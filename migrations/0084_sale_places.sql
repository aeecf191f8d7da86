-- What the statistics need to know of an order as it was when it was placed, even if the company moves later: the offset of
-- the company's time zone to UTC in minutes, whether the customer was in another country, and which lines were rented.
set local lock_timeout = '10s';

alter table orders add column utc_offset smallint not null default 0;
alter table orders add column international boolean not null default false;
alter table order_lines add column rental boolean not null default false;

update orders set utc_offset = zone.utc_offset
from companies
cross join lateral (
  select time_zone as utc_offset from users where users.company_id = companies.id order by users.id limit 1
) as zone
where orders.company_id = companies.id and zone.utc_offset <> 0;

update orders set international = true
from companies
where orders.company_id = companies.id and orders.country_code not in ('', companies.country_code);

-- What was sold has its own copy of the license. Content that waits for its code to be redeemed has the license itself.
update order_lines as line set rental = true
where line.kind = 'digital' and line.license_id is not null and coalesce(
  (select sold.terms ->> 'expiration_date' is not null or (sold.terms ->> 'expire_after_acquisition')::int > 0
      or (sold.terms ->> 'expire_after_first_use')::int > 0
    from entitlements as sold
    where sold.company_id = line.company_id and sold.order_id = line.order_id and sold.line_id = line.id limit 1),
  (select license.expiration_date is not null or license.expire_after_acquisition > 0
      or license.expire_after_first_use > 0
    from licenses as license
    where license.id = line.license_id and license.company_id in (0, coalesce(line.owner_id, line.company_id)) limit 1),
  false);
