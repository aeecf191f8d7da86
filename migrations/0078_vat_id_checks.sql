-- What the tax authorities said about VAT ids. An answer is used for a day.
set local lock_timeout = '10s';

create table vat_id_checks (
  company_id bigint not null references companies (id),
  vat_id text not null,
  is_valid boolean not null,
  -- The number of the inquiry, which proves it; empty if the authorities gave none.
  request_id text not null,
  checked_at timestamptz(0) not null,
  primary key (company_id, vat_id)
);

create index vat_id_checks_age on vat_id_checks (company_id, checked_at);

alter table invoice_settings add column check_vat_ids boolean not null default false;
