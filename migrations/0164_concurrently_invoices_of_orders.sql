-- The invoice and the credit notes of an order are read for every order that is paid. The indexes that are there are each for one kind, so
-- all invoices of the company were read for it.
drop index concurrently if exists invoices_of_order;
create index concurrently invoices_of_order on invoices (company_id, order_id);
