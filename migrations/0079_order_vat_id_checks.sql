-- When the VAT id of an order was confirmed by the tax authorities, and the number of that inquiry.
set local lock_timeout = '10s';

alter table orders add column vat_id_checked_at timestamptz(0);
alter table orders add column vat_id_request_id text not null default '';
