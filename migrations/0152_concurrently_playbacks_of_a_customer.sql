-- How many keys somebody may still get who begins again is found by what they played just before.
drop index concurrently if exists playbacks_entitlement;
create index concurrently playbacks_entitlement on playbacks (company_id, entitlement_id, seen_at);
