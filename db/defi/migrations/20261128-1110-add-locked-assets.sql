-- Assets that are locked until a time.
alter table defi_assets
  drop constraint defi_assets_role_check,
  add constraint defi_assets_role_check check (
    role in ('supplied', 'borrowed', 'staked', 'locked', 'unclaimed', 'withdrawing', 'claimable')) not valid;
