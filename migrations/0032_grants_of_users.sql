-- Disabling a user ends the grants that the user made. A code that nobody exchanged ends after ten minutes, with its
-- grant. Users who were disabled earlier lose their grants here.
set local lock_timeout = '10s';

create index grants_user on grants (user_id) where revoked_at is null;
create index refresh_tokens_codes on refresh_tokens (issued_at) where redirect_uri is not null and used_at is null;

delete from access_tokens using grants, users
where grants.company_id = access_tokens.company_id and grants.id = access_tokens.grant_id
  and users.id = grants.user_id and users.state = 'disabled';

update grants set revoked_at = now() from users
where users.id = grants.user_id and users.state = 'disabled' and grants.revoked_at is null;
