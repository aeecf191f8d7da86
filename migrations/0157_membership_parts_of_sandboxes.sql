-- The times of a member and of a product in a group go by the clock of the company: in a sandbox, which of several counts would
-- otherwise be decided by the machine's. Where one runs without an end, which is nearly always, nobody asks for the time.
set local lock_timeout = '10s';

create or replace function membership_parts(
  of_company bigint, of_group text, of_product bigint, of_customer bigint, of_token text
) returns json
  language plpgsql stable parallel safe
as $$
declare
  parts json;
  time_of_company timestamptz;
begin
  -- Nearly everybody and everything is in a group under its own name and without an end, which no other time can outlast.
  if starts_with(of_group, 's') then
    select json_build_object('joined_at', person.created_at, 'starts_at', null, 'ends_at', null,
        'included_at', entry.created_at, 'opens_at', null, 'closes_at', null,
        'usage', (select used.usage from membership_uses as used
          where used.company_id = of_company and used.group_id = of_group and used.customer_id = of_customer))
      into parts
      from subscribers as person, product_groups as entry
      where person.customer_token = of_token and person.company_id = of_company and person.group_id = of_group
        and person.ends_at is null
        and entry.company_id = of_company and entry.product_key = of_product and entry.group_id = of_group
        and entry.start_at is null and entry.end_at is null;
    if parts is not null then
      return parts;
    end if;
  end if;

  select now() + coalesce((select ahead_ms * interval '1 millisecond' from test_clocks
    where test_clocks.company_id = of_company), interval '0') into time_of_company;
  select json_build_object('joined_at', person.joined_at, 'starts_at', person.start_at, 'ends_at', person.end_at,
      'included_at', entry.created_at, 'opens_at', entry.start_at, 'closes_at', entry.end_at,
      'usage', (select used.usage from membership_uses as used
        where used.company_id = of_company and used.group_id = of_group
          -- The members of a sharing group use it together.
          and used.customer_id = case when starts_with(of_group, 'p') then 0 else of_customer end))
    into parts
    from (values (of_group, left(of_group, 1) || '-1')) as club (own_name, name_of_all)
    left join lateral (select * from (
      select coalesce(member.start_at, member.created_at) as joined_at, member.start_at, member.end_at
      from group_members as member where member.customer_token = of_token
        and member.company_id = of_company and member.group_id in (club.own_name, club.name_of_all)
      union all
      select subscriber.created_at, null, subscriber.ends_at
      from subscribers as subscriber where subscriber.customer_token = of_token
        and subscriber.company_id = of_company and subscriber.group_id in (club.own_name, club.name_of_all)
      ) as people
      order by (end_at is null or end_at > time_of_company) desc, (start_at is null or start_at <= time_of_company) desc,
        end_at desc nulls first limit 1) as person on true
    left join lateral (
      select named.created_at, named.start_at, named.end_at from product_groups as named
      where named.company_id = of_company and named.product_key = of_product
        and named.group_id in (club.own_name, club.name_of_all)
      order by (end_at is null or end_at > time_of_company) desc, (start_at is null or start_at <= time_of_company) desc,
        end_at desc nulls first limit 1) as entry on true;
  return parts;
end $$;
