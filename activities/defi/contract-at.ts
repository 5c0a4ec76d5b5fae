import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionReturnType,
  DecodeFunctionResultParameters,
  EncodeFunctionDataParameters,
  Hex,
} from 'viem'

/** One call of a contract with the decoder of its answer. */
export interface ContractRead<T> {
  to: string
  data: Hex
  /** Throws on data of another type. */
  decode: (data: Hex) => T
}

type Mutability = 'pure' | 'view' | 'nonpayable' | 'payable'

/** Reads of one contract: `contractAt(abi, address)('balanceOf', [owner])`. */
export function contractAt<const ABI extends Abi>(abi: ABI, address: string) {
  return <
    Name extends ContractFunctionName<ABI, Mutability>,
    const Args extends ContractFunctionArgs<ABI, Mutability, Name>,
  >(
    functionName: Name,
    args: Args,
  ): ContractRead<ContractFunctionReturnType<ABI, Mutability, Name, Args>> => ({
    to: address,
    // viem derives these types from the ABI only when the name is a literal.
    data: encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
    decode: (data) =>
      decodeFunctionResult({
        abi,
        functionName,
        data,
      } as unknown as DecodeFunctionResultParameters) as ContractFunctionReturnType<
        ABI,
        Mutability,
        Name,
        Args
      >,
  })
}
