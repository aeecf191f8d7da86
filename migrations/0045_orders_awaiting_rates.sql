-- An order in a currency without a rate is counted in the company's currency as soon as a rate is known.
set local lock_timeout = '10s';

alter table orders add column awaits_rate boolean not null default false;

update orders set awaits_rate = true
from companies
where companies.id = orders.company_id and companies.currency <> orders.currency
  and orders.home_cents = 0 and orders.total_cents > 0
  and not (orders.currency in (select currency from currency_rates)
    and companies.currency in (select currency from currency_rates));

create index orders_awaiting_rates on orders (company_id, id) where awaits_rate;
