-- The tax class of a product decides at which of a country's rates it is taxed. E-books have a rate of their own in most countries.
set local lock_timeout = '10s';

alter table products add column tax_class text not null default 'standard'
  check (tax_class in ('standard', 'reduced', 'e-book', 'zero'));
update products set tax_class = 'e-book' where product_type = 16;

-- A company sets its own rate for each country and class.
alter table tax_rates add column tax_class text not null default 'standard'
  check (tax_class in ('standard', 'reduced', 'e-book'));
drop index tax_rates_country;
create unique index tax_rates_country on tax_rates (company_id, country_code, tax_class);
