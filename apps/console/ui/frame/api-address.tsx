'use client';

import { createContext, useContext } from 'react';

const ApiAddress = createContext('http://127.0.0.1:4000');

export const ApiAddressProvider = ApiAddress.Provider;

/** Returns the API's public address: `API_PUBLIC_URL`, else the address that the console uses. */
export const useApiAddress = (): string => useContext(ApiAddress);
