-- Who gives a gift, and the shop in which it was bought. Gifts of the company itself have neither.
set local lock_timeout = '10s';

alter table redemption_gifts add column giver text not null default '';
alter table redemption_gifts add column theme_setting_id bigint;
