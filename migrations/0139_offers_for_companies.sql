-- The companies that an offer of the marketplace is for; null: for every company.
set local lock_timeout = '10s';

alter table market_offers add column company_ids bigint[];
