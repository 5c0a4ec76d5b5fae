-- Past answers name the tokens that no list of coins has. Of rows that were replaced until now no name is known but
-- today's.
alter table past.tokens add column name text;
update past.tokens as old set name = token.name
from tokens as token where token.network_id = old.network_id and token.address = old.address;
select past.keep_more('tokens', 'name');
