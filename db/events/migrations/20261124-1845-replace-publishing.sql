-- They take the events a second of each plan.
drop function if exists publish_events(bigint[], text[], integer[]);
drop function if exists release_held_events(integer);
