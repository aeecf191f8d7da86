-- The products of a category in the order of the shop owner: a page reads as many as it shows, however many there are.
set local lock_timeout = '10s';

create index category_entries_order on category_entries (company_id, category_id, position, product_key);
