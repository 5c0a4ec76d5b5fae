-- What the account of a rule about a portfolio was last told, or the value when the rule was added: moves are measured
-- from it. Null: the portfolio had no complete figures yet, or the rule is about something else.
alter table alert_rules add value_usd numeric;
