-- With which payment's card or account a charge began: the customer may choose others before its fate is known.
set local lock_timeout = '10s';

alter table payments add column means_payment_id bigint;
