-- The VAT id of a business customer, and whether the customer owes the tax instead of the seller.
set local lock_timeout = '10s';

alter table orders add column vat_id text not null default '';
alter table orders add column reverse_charge boolean not null default false;
