-- The wrapped coins of Monad and Plasma, as of every other network with one.
update networks set wrapped_address = '0x3bd359c1119da7da1d913d1c4d2b7c461115433a' where id = 'monad-wallet' and wrapped_address is null;
update networks set wrapped_address = '0x6100e367285b01f48d07953803a2d8dca5d19873' where id = 'plasma-wallet' and wrapped_address is null;
