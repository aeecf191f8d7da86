-- Finds the orders with a product, newest first, without reading all orders of the company.
set local lock_timeout = '10s';

create index order_lines_product on order_lines (company_id, product_id, order_id);
