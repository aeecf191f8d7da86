-- Finds the customers that a company knows since a time, and those who are disabled, who are few.
set local lock_timeout = '10s';

create index customer_relations_created_at on customer_relations (company_id, created_at, customer_id);
create index customers_disabled on customers (id) where state = 'disabled';
