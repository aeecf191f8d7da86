-- A purchase of something that the customer has rented costs less by what was paid for the rental: which rental that was, and
-- by how many cents the line is cheaper. A rental is credited once. A purchase that is undone lets go of the rental.
set local lock_timeout = '10s';

alter table order_lines
  add column credited_entitlement_id bigint,
  add column credit_cents bigint not null default 0;

create unique index order_lines_credited on order_lines (company_id, credited_entitlement_id)
  where credited_entitlement_id is not null;
