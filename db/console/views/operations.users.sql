-- The users of the embedded OpenID provider.
create or replace view operations.users as
select u.subject, u.name, u.created_at, u.signed_in_at, u.disabled_at, u.password_hash is not null as has_password,
  i.expires_at as invited_until, a.name as account,
  exists (select from operators o where o.subject = u.subject) as sees_console,
  exists (select from user_totp t where t.user_subject = u.subject and t.confirmed_at is not null) as has_totp
from users u
left join user_invitations i on i.user_subject = u.subject and i.expires_at > now()
left join identities l on l.subject = u.subject
left join accounts a on a.id = l.account_id;
grant select on operations.users to console;
