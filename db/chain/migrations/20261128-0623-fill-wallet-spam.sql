insert into wallet_spam (wallet_id, network_id, coin_id)
select distinct wallet_id, network_id, coin_id from movements where role = 'spam'
on conflict do nothing;
