-- What a category is asked for by: its name, and as slugs the name, what is outside and what is inside of its
-- brackets. `Layer 1 (L1)` is also layer-1-l1, layer-1 and l1.
create or replace function category_ids(category text) returns text[] language sql immutable as $$
  select array_agg(distinct id) from (
    select lower(category) as id
    union all
    select trim(both '-' from regexp_replace(lower(part), '[^a-z0-9]+', '-', 'g'))
    from (values (category), (regexp_replace(category, '\(.*\)', '')), (substring(category from '\((.*)\)'))) as parts (part)
    union all
    select unnest(array['memecoins', 'meme-token']) where lower(category) = 'meme'
  ) as ids where id <> '';
$$;
revoke all on function category_ids from public;
grant execute on function category_ids to ingest;
