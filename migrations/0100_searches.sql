-- Owners look for customers by the beginning of a name or an address, and for orders by a number. Indexes with
-- text_pattern_ops find beginnings whatever the collation of the database, and whole words as before.
set local lock_timeout = '10s';

drop index customer_relations_first_name, customer_relations_last_name;
create index customer_relations_first_name
  on customer_relations (company_id, lower(first_name) text_pattern_ops, customer_id);
create index customer_relations_last_name
  on customer_relations (company_id, lower(last_name) text_pattern_ops, customer_id);

drop index customers_email;
create unique index customers_email on customers (lower(email) text_pattern_ops);

create index orders_order_number on orders (company_id, lower(order_number)) where order_number <> '';
create index orders_po_number on orders (company_id, lower(po_number)) where po_number <> '';
