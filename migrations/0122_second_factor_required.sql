-- Whether everybody who works for a company has to sign in in two steps.
set local lock_timeout = '10s';

alter table companies add column second_factor_required boolean not null default false;
