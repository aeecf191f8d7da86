-- Names and addresses belong to what each company knows of a customer: no company sees or changes another's. Every company
-- keeps what it sees today, with the ids that it knows addresses by, so that the stored documents stay as they are. From now on
-- the id of an address is unique for one company and customer.
set local lock_timeout = '10s';

alter table customer_relations
  add column first_name text,
  add column last_name text,
  -- Oldest first. Nothing is searched by an address, so addresses need no rows of their own.
  add column addresses json;

update customer_relations
set first_name = customers.first_name, last_name = customers.last_name, addresses = customers.addresses
from customers where customers.id = customer_relations.customer_id;

alter table customer_relations
  alter column first_name set not null,
  alter column last_name set not null,
  alter column addresses set not null,
  add constraint customer_relations_default_address check (
    json_array_length(addresses) = 0
    or jsonb_array_length(jsonb_path_query_array(addresses::jsonb, '$[*] ? (@.default == true)')) = 1
  );

create index customer_relations_first_name on customer_relations (company_id, lower(first_name), customer_id);
create index customer_relations_last_name on customer_relations (company_id, lower(last_name), customer_id);

-- The indexes and the check of these columns are dropped with them.
alter table customers drop column first_name, drop column last_name, drop column addresses;
