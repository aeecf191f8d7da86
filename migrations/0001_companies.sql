-- Companies are the tenants: everything else belongs to one. Users are the people who run a company's shop.
set local lock_timeout = '10s';

create table companies (
  id bigint generated always as identity (start with 1000) primary key,
  company_name text not null,
  email text not null,
  country_code text not null default 'US',
  currency text not null default 'USD',
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null
);

create table users (
  company_id bigint not null references companies (id),
  id bigint generated always as identity (start with 1000),
  email text not null,
  password_hash text,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (company_id, id)
);

create unique index users_email on users (lower(email));
