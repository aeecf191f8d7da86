-- What an import has created, by what it is called in the file, so that importing the file again changes it instead of
-- creating it twice. The thing may have been deleted since.
set local lock_timeout = '10s';

create table import_keys (
  company_id bigint not null references companies (id),
  -- The list of the file, such as products.
  kind text not null,
  -- The handle of a product, the title of a price and so on.
  key text not null,
  id bigint not null,
  primary key (company_id, kind, key)
);
