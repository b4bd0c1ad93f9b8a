#include "code_objects/paths_stateupdater_codeobject.h"
#include "objects.h"
#include "brianlib/common_math.h"
#include "brianlib/stdint_compat.h"
#include<cmath>
#include<ctime>
#include<iostream>
#include<fstream>
#include<climits>

////// SUPPORT CODE ///////
namespace {
        
    inline double _randn(const int _vectorisation_idx) {
        return brian::_random_generators[0].randn();
    }
    static inline double velocity_1(double M1, double M2, double M3, double G1, double G2, double G3) { const double x0 = G3 + 0.29999999999999999; const double x1 = pow(x0, 2); const double x2 = pow(G1, 2) + pow(G2, 2); const double x3 = x1 + x2; const double x4 = 1.0/(x3 + 1.5); const double x5 = 1.0/(x3 + 2.0); return x5*(G1*(M3*x0*x4 + x5*(G1*M1 + G2*M2))/(-x1*x4 - x2*x5 + 1.0) + M1); }
    static inline double velocity_2(double M1, double M2, double M3, double G1, double G2, double G3) { const double x0 = G3 + 0.29999999999999999; const double x1 = pow(x0, 2); const double x2 = pow(G1, 2) + pow(G2, 2); const double x3 = x1 + x2; const double x4 = 1.0/(x3 + 1.5); const double x5 = 1.0/(x3 + 2.0); return x5*(G2*(M3*x0*x4 + x5*(G1*M1 + G2*M2))/(-x1*x4 - x2*x5 + 1.0) + M2); }
    static inline double velocity_3(double M1, double M2, double M3, double G1, double G2, double G3) { const double x0 = G3 + 0.29999999999999999; const double x1 = pow(x0, 2); const double x2 = pow(G1, 2) + pow(G2, 2); const double x3 = x1 + x2; const double x4 = 1.0/(x3 + 1.5); const double x5 = 1.0/(x3 + 2.0); return x4*(M3 + x0*(M3*x0*x4 + x5*(G1*M1 + G2*M2))/(-x1*x4 - x2*x5 + 1.0)); }
    template < typename T1, typename T2 > struct _higher_type;
    template < > struct _higher_type<int32_t,int32_t> { typedef int32_t type; };
    template < > struct _higher_type<int32_t,int64_t> { typedef int64_t type; };
    template < > struct _higher_type<int32_t,float> { typedef float type; };
    template < > struct _higher_type<int32_t,double> { typedef double type; };
    template < > struct _higher_type<int32_t,long double> { typedef long double type; };
    template < > struct _higher_type<int64_t,int32_t> { typedef int64_t type; };
    template < > struct _higher_type<int64_t,int64_t> { typedef int64_t type; };
    template < > struct _higher_type<int64_t,float> { typedef float type; };
    template < > struct _higher_type<int64_t,double> { typedef double type; };
    template < > struct _higher_type<int64_t,long double> { typedef long double type; };
    template < > struct _higher_type<float,int32_t> { typedef float type; };
    template < > struct _higher_type<float,int64_t> { typedef float type; };
    template < > struct _higher_type<float,float> { typedef float type; };
    template < > struct _higher_type<float,double> { typedef double type; };
    template < > struct _higher_type<float,long double> { typedef long double type; };
    template < > struct _higher_type<double,int32_t> { typedef double type; };
    template < > struct _higher_type<double,int64_t> { typedef double type; };
    template < > struct _higher_type<double,float> { typedef double type; };
    template < > struct _higher_type<double,double> { typedef double type; };
    template < > struct _higher_type<double,long double> { typedef long double type; };
    template < > struct _higher_type<long double,int32_t> { typedef long double type; };
    template < > struct _higher_type<long double,int64_t> { typedef long double type; };
    template < > struct _higher_type<long double,float> { typedef long double type; };
    template < > struct _higher_type<long double,double> { typedef long double type; };
    template < > struct _higher_type<long double,long double> { typedef long double type; };
    // General template, used for floating point types
    template < typename T1, typename T2 >
    static inline typename _higher_type<T1,T2>::type
    _brian_mod(T1 x, T2 y)
    {
        return x-y*floor(1.0*x/y);
    }
    // Specific implementations for integer types
    // (from Cython, see LICENSE file)
    template <>
    inline int32_t _brian_mod(int32_t x, int32_t y)
    {
        int32_t r = x % y;
        r += ((r != 0) & ((r ^ y) < 0)) * y;
        return r;
    }
    template <>
    inline int64_t _brian_mod(int32_t x, int64_t y)
    {
        int64_t r = x % y;
        r += ((r != 0) & ((r ^ y) < 0)) * y;
        return r;
    }
    template <>
    inline int64_t _brian_mod(int64_t x, int32_t y)
    {
        int64_t r = x % y;
        r += ((r != 0) & ((r ^ y) < 0)) * y;
        return r;
    }
    template <>
    inline int64_t _brian_mod(int64_t x, int64_t y)
    {
        int64_t r = x % y;
        r += ((r != 0) & ((r ^ y) < 0)) * y;
        return r;
    }
    // General implementation, used for floating point types
    template < typename T1, typename T2 >
    static inline typename _higher_type<T1,T2>::type
    _brian_floordiv(T1 x, T2 y)
    {{
        return floor(1.0*x/y);
    }}
    // Specific implementations for integer types
    // (from Cython, see LICENSE file)
    template <>
    inline int32_t _brian_floordiv<int32_t, int32_t>(int32_t a, int32_t b) {
        int32_t q = a / b;
        int32_t r = a - q*b;
        q -= ((r != 0) & ((r ^ b) < 0));
        return q;
    }
    template <>
    inline int64_t _brian_floordiv<int32_t, int64_t>(int32_t a, int64_t b) {
        int64_t q = a / b;
        int64_t r = a - q*b;
        q -= ((r != 0) & ((r ^ b) < 0));
        return q;
    }
    template <>
    inline int64_t _brian_floordiv<int64_t, int>(int64_t a, int32_t b) {
        int64_t q = a / b;
        int64_t r = a - q*b;
        q -= ((r != 0) & ((r ^ b) < 0));
        return q;
    }
    template <>
    inline int64_t _brian_floordiv<int64_t, int64_t>(int64_t a, int64_t b) {
        int64_t q = a / b;
        int64_t r = a - q*b;
        q -= ((r != 0) & ((r ^ b) < 0));
        return q;
    }
    #ifdef _MSC_VER
    #define _brian_pow(x, y) (pow((double)(x), (y)))
    #else
    #define _brian_pow(x, y) (pow((x), (y)))
    #endif

}

////// HASH DEFINES ///////



void _run_paths_stateupdater_codeobject()
{
    using namespace brian;


    ///// CONSTANTS ///////////
    const size_t _numG1 = 1000;
const size_t _numG2 = 1000;
const size_t _numG3 = 1000;
const size_t _numM1 = 1000;
const size_t _numM2 = 1000;
const size_t _numM3 = 1000;
const int64_t N = 1000;
const size_t _numdt = 1;
const double second = 1.0;
    ///// POINTERS ////////////
        
    double* __restrict  _ptr_array_paths_G1 = _array_paths_G1;
    double* __restrict  _ptr_array_paths_G2 = _array_paths_G2;
    double* __restrict  _ptr_array_paths_G3 = _array_paths_G3;
    double* __restrict  _ptr_array_paths_M1 = _array_paths_M1;
    double* __restrict  _ptr_array_paths_M2 = _array_paths_M2;
    double* __restrict  _ptr_array_paths_M3 = _array_paths_M3;
    double*   _ptr_array_defaultclock_dt = _array_defaultclock_dt;


    //// MAIN CODE ////////////
    // scalar code
    const size_t _vectorisation_idx = -1;
        
    const double dt = _ptr_array_defaultclock_dt[0];
    const int64_t __g_support_G1_xi_1 = 0;
    const int64_t __g_support_G2_xi_2 = 0;
    const int64_t __g_support_G3_xi_3 = 0;
    const int64_t __g_support_M1_xi_1 = 0;
    const int64_t __g_support_M2_xi_2 = 0;
    const int64_t __g_support_M3_xi_3 = 0;
    const double _lio_1 = _brian_pow(dt, 0.5);
    const double _lio_2 = 1.0f*0.1/(_brian_pow(second, 0.5));
    const double _lio_3 = 1.0f*(- 0.1)/(_brian_pow(second, 0.5));
    const double _lio_4 = 1.0f*(- 0.2)/(_brian_pow(second, 0.5));
    const double _lio_5 = 1.0f*0.2/(_brian_pow(second, 0.5));
    const double _lio_6 = 1.0f*0.06/(_brian_pow(second, 0.5));
    const double _lio_7 = 1.0f*0.15/(_brian_pow(second, 0.5));
    const double _lio_8 = 1.0f*0.09/(_brian_pow(second, 0.5));
    const double _lio_9 = 1.0f*0.209/(_brian_pow(second, 0.5));
    const double _lio_10 = 1.0f*0.03/(_brian_pow(second, 0.5));
    const double _lio_11 = 1.0f*0.05/(_brian_pow(second, 0.5));
    const double _lio_12 = 0.5 * __g_support_G1_xi_1;
    const double _lio_13 = 1.0f*1.0/second;
    const double _lio_14 = 1.0f*(- 0.05)/(_brian_pow(second, 0.5));
    const double _lio_15 = 0.5 * __g_support_G2_xi_2;
    const double _lio_16 = 0.5 * __g_support_G3_xi_3;
    const double _lio_17 = 0.5 * __g_support_M1_xi_1;
    const double _lio_18 = 1.0f*0.6/second;
    const double _lio_19 = 1.0f*0.3/second;
    const double _lio_20 = 1.0f*0.59/second;
    const double _lio_21 = 0.5 * __g_support_M2_xi_2;
    const double _lio_22 = 0.5 * __g_support_M3_xi_3;


    const int _N = N;
    
    for(int _idx=0; _idx<_N; _idx++)
    {
        // vector code
        const size_t _vectorisation_idx = _idx;
                
        double G1 = _ptr_array_paths_G1[_idx];
        double G2 = _ptr_array_paths_G2[_idx];
        double G3 = _ptr_array_paths_G3[_idx];
        double M1 = _ptr_array_paths_M1[_idx];
        double M2 = _ptr_array_paths_M2[_idx];
        double M3 = _ptr_array_paths_M3[_idx];
        const double xi_2 = _lio_1 * _randn(_vectorisation_idx);
        const double xi_3 = _lio_1 * _randn(_vectorisation_idx);
        const double xi_1 = _lio_1 * _randn(_vectorisation_idx);
        const double __x_support_G1_xi_2 = G1 - (_lio_2 * (G3 * xi_2));
        const double __x_support_G1_xi_3 = G1 + (_lio_2 * (G2 * xi_3));
        const double __x_support_G1_xi_1 = G1;
        const double __x_support_G2_xi_2 = G2;
        const double __x_support_G2_xi_3 = (_lio_3 * (G1 * xi_3)) + G2;
        const double __x_support_G2_xi_1 = G2 + (_lio_2 * (G3 * xi_1));
        const double __x_support_G3_xi_2 = (_lio_2 * (G1 * xi_2)) + G3;
        const double __x_support_G3_xi_3 = G3;
        const double __x_support_G3_xi_1 = (_lio_3 * (G2 * xi_1)) + G3;
        const double __x_support_M1_xi_2 = M1 + (xi_2 * ((((((_lio_4 * ((_brian_pow(G1, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G3) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G1 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G2 * velocity_2(M1, M2, M3, G1, G2, G3)))) - ((_lio_5 * ((_brian_pow(G2, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_7 * velocity_3(M1, M2, M3, G1, G2, G3)))));
        const double __x_support_M1_xi_3 = M1 + (xi_3 * (((((_lio_5 * ((_brian_pow(G1, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_2(M1, M2, M3, G1, G2, G3))) - (((_lio_5 * ((G1 * G2) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G2 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G2 * velocity_3(M1, M2, M3, G1, G2, G3))))));
        const double __x_support_M1_xi_1 = M1;
        const double __x_support_M2_xi_2 = M2;
        const double __x_support_M2_xi_3 = M2 + (xi_3 * ((((_lio_5 * ((G1 * G2) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G1 * velocity_3(M1, M2, M3, G1, G2, G3)))) - ((((_lio_5 * ((_brian_pow(G2, 2)) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_1(M1, M2, M3, G1, G2, G3)))));
        const double __x_support_M2_xi_1 = M2 + (xi_1 * ((((_lio_5 * ((_brian_pow(G1, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G2, 2)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_7 * velocity_3(M1, M2, M3, G1, G2, G3))) - ((((_lio_5 * ((G1 * G3) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_6 * (G1 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G2 * velocity_2(M1, M2, M3, G1, G2, G3))))));
        const double __x_support_M3_xi_2 = M3 + (xi_2 * ((((((_lio_4 * ((G1 * G2) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G2, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_1(M1, M2, M3, G1, G2, G3))) - ((_lio_5 * ((G1 * G3) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_10 * (G1 * velocity_3(M1, M2, M3, G1, G2, G3))))));
        const double __x_support_M3_xi_3 = M3;
        const double __x_support_M3_xi_1 = M3 + (xi_1 * (((((_lio_4 * ((_brian_pow(G1, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G2) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G2 * velocity_3(M1, M2, M3, G1, G2, G3)))) - (((_lio_5 * ((_brian_pow(G3, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_8 * (G3 * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_2(M1, M2, M3, G1, G2, G3)))));
        const double __g_support_G1_xi_2 = _lio_3 * __x_support_G3_xi_2;
        const double __g_support_G1_xi_3 = _lio_2 * __x_support_G2_xi_3;
        const double __g_support_G2_xi_3 = _lio_3 * __x_support_G1_xi_3;
        const double __g_support_G2_xi_1 = _lio_2 * __x_support_G3_xi_1;
        const double __g_support_G3_xi_2 = _lio_2 * __x_support_G1_xi_2;
        const double __g_support_G3_xi_1 = _lio_3 * __x_support_G2_xi_1;
        const double __g_support_M1_xi_2 = (((((_lio_4 * ((_brian_pow(__x_support_G1_xi_2, 2)) * velocity_3(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))) + (_lio_5 * ((__x_support_G1_xi_2 * __x_support_G3_xi_2) * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_6 * (__x_support_G1_xi_2 * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_5 * ((__x_support_G2_xi_2 * __x_support_G3_xi_2) * velocity_2(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_6 * (__x_support_G2_xi_2 * velocity_2(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) - ((_lio_5 * ((_brian_pow(__x_support_G2_xi_2, 2)) * velocity_3(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))) + (_lio_7 * velocity_3(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)));
        const double __g_support_M1_xi_3 = ((((_lio_5 * ((_brian_pow(__x_support_G1_xi_3, 2)) * velocity_2(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))) + (_lio_5 * ((_brian_pow(__x_support_G3_xi_3, 2)) * velocity_2(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_8 * (__x_support_G3_xi_3 * velocity_2(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_9 * velocity_2(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))) - (((_lio_5 * ((__x_support_G1_xi_3 * __x_support_G2_xi_3) * velocity_1(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))) + (_lio_5 * ((__x_support_G2_xi_3 * __x_support_G3_xi_3) * velocity_3(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_10 * (__x_support_G2_xi_3 * velocity_3(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))));
        const double __g_support_M2_xi_3 = (((_lio_5 * ((__x_support_G1_xi_3 * __x_support_G2_xi_3) * velocity_2(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))) + (_lio_5 * ((__x_support_G1_xi_3 * __x_support_G3_xi_3) * velocity_3(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_10 * (__x_support_G1_xi_3 * velocity_3(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) - ((((_lio_5 * ((_brian_pow(__x_support_G2_xi_3, 2)) * velocity_1(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3))) + (_lio_5 * ((_brian_pow(__x_support_G3_xi_3, 2)) * velocity_1(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_8 * (__x_support_G3_xi_3 * velocity_1(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)))) + (_lio_9 * velocity_1(__x_support_M1_xi_3, __x_support_M2_xi_3, __x_support_M3_xi_3, __x_support_G1_xi_3, __x_support_G2_xi_3, __x_support_G3_xi_3)));
        const double __g_support_M2_xi_1 = (((_lio_5 * ((_brian_pow(__x_support_G1_xi_1, 2)) * velocity_3(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))) + (_lio_5 * ((_brian_pow(__x_support_G2_xi_1, 2)) * velocity_3(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_7 * velocity_3(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))) - ((((_lio_5 * ((__x_support_G1_xi_1 * __x_support_G3_xi_1) * velocity_1(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))) + (_lio_6 * (__x_support_G1_xi_1 * velocity_1(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_5 * ((__x_support_G2_xi_1 * __x_support_G3_xi_1) * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_6 * (__x_support_G2_xi_1 * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))));
        const double __g_support_M3_xi_2 = (((((_lio_4 * ((__x_support_G1_xi_2 * __x_support_G2_xi_2) * velocity_2(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))) + (_lio_5 * ((_brian_pow(__x_support_G2_xi_2, 2)) * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_5 * ((_brian_pow(__x_support_G3_xi_2, 2)) * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_8 * (__x_support_G3_xi_2 * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2)))) + (_lio_9 * velocity_1(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))) - ((_lio_5 * ((__x_support_G1_xi_2 * __x_support_G3_xi_2) * velocity_3(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))) + (_lio_10 * (__x_support_G1_xi_2 * velocity_3(__x_support_M1_xi_2, __x_support_M2_xi_2, __x_support_M3_xi_2, __x_support_G1_xi_2, __x_support_G2_xi_2, __x_support_G3_xi_2))));
        const double __g_support_M3_xi_1 = ((((_lio_4 * ((_brian_pow(__x_support_G1_xi_1, 2)) * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))) + (_lio_5 * ((__x_support_G1_xi_1 * __x_support_G2_xi_1) * velocity_1(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_5 * ((__x_support_G2_xi_1 * __x_support_G3_xi_1) * velocity_3(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_10 * (__x_support_G2_xi_1 * velocity_3(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) - (((_lio_5 * ((_brian_pow(__x_support_G3_xi_1, 2)) * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1))) + (_lio_8 * (__x_support_G3_xi_1 * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)))) + (_lio_9 * velocity_2(__x_support_M1_xi_1, __x_support_M2_xi_1, __x_support_M3_xi_1, __x_support_G1_xi_1, __x_support_G2_xi_1, __x_support_G3_xi_1)));
        const double _G1 = (((((G1 + (_lio_11 * (G2 * xi_3))) + (_lio_12 * xi_1)) + (0.5 * (__g_support_G1_xi_2 * xi_2))) + (0.5 * (__g_support_G1_xi_3 * xi_3))) + (dt * ((_lio_13 * (G2 * velocity_3(M1, M2, M3, G1, G2, G3))) - (_lio_13 * (G3 * velocity_2(M1, M2, M3, G1, G2, G3)))))) - (_lio_11 * (G3 * xi_2));
        const double _G2 = ((((((_lio_14 * (G1 * xi_3)) + G2) + (_lio_11 * (G3 * xi_1))) + (0.5 * (__g_support_G2_xi_1 * xi_1))) + (_lio_15 * xi_2)) + (0.5 * (__g_support_G2_xi_3 * xi_3))) + (dt * ((_lio_13 * ((- G1) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_13 * (G3 * velocity_1(M1, M2, M3, G1, G2, G3)))));
        const double _G3 = ((((((_lio_11 * (G1 * xi_2)) + G3) + (0.5 * (__g_support_G3_xi_1 * xi_1))) + (0.5 * (__g_support_G3_xi_2 * xi_2))) + (_lio_16 * xi_3)) + (dt * ((_lio_13 * (G1 * velocity_2(M1, M2, M3, G1, G2, G3))) - (_lio_13 * (G2 * velocity_1(M1, M2, M3, G1, G2, G3)))))) - (_lio_11 * (G2 * xi_1));
        const double _M1 = (((((M1 + (_lio_17 * xi_1)) + (0.5 * (__g_support_M1_xi_2 * xi_2))) + (0.5 * (__g_support_M1_xi_3 * xi_3))) + (dt * ((((((((((_lio_13 * ((((- G1) * G2) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_13 * (((G1 * G3) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_18 * ((G1 * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_13 * ((G2 * G3) * (_brian_pow(velocity_2(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * (G2 * (_brian_pow(velocity_2(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * G2)) + (_lio_13 * (((_brian_pow(G3, 2)) * velocity_2(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_18 * ((G3 * velocity_2(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_20 * (velocity_2(M1, M2, M3, G1, G2, G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) - ((((_lio_13 * (((_brian_pow(G2, 2)) * velocity_2(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_13 * ((G2 * G3) * (_brian_pow(velocity_3(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * (G2 * (_brian_pow(velocity_1(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * (G2 * (_brian_pow(velocity_3(M1, M2, M3, G1, G2, G3), 2)))))))) + (0.5 * (xi_2 * ((((((_lio_4 * ((_brian_pow(G1, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G3) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G1 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G2 * velocity_2(M1, M2, M3, G1, G2, G3)))) - ((_lio_5 * ((_brian_pow(G2, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_7 * velocity_3(M1, M2, M3, G1, G2, G3))))))) + (0.5 * (xi_3 * (((((_lio_5 * ((_brian_pow(G1, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_2(M1, M2, M3, G1, G2, G3))) - (((_lio_5 * ((G1 * G2) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G2 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G2 * velocity_3(M1, M2, M3, G1, G2, G3)))))));
        const double _M2 = (((((M2 + (0.5 * (__g_support_M2_xi_1 * xi_1))) + (_lio_21 * xi_2)) + (0.5 * (__g_support_M2_xi_3 * xi_3))) + (dt * ((((((_lio_13 * (((_brian_pow(G1, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_13 * (((G1 * G2) * velocity_2(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_13 * ((G1 * G3) * (_brian_pow(velocity_3(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * (G1 * (_brian_pow(velocity_2(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * (G1 * (_brian_pow(velocity_3(M1, M2, M3, G1, G2, G3), 2))))) - ((((((((_lio_13 * ((G1 * G3) * (_brian_pow(velocity_1(M1, M2, M3, G1, G2, G3), 2)))) + (_lio_19 * (G1 * (_brian_pow(velocity_1(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_19 * G1)) + (_lio_13 * (((G2 * G3) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_18 * ((G2 * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_13 * (((_brian_pow(G3, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_18 * ((G3 * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_20 * (velocity_1(M1, M2, M3, G1, G2, G3) * velocity_3(M1, M2, M3, G1, G2, G3))))))) + (0.5 * (xi_1 * ((((_lio_5 * ((_brian_pow(G1, 2)) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G2, 2)) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_7 * velocity_3(M1, M2, M3, G1, G2, G3))) - ((((_lio_5 * ((G1 * G3) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_6 * (G1 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_6 * (G2 * velocity_2(M1, M2, M3, G1, G2, G3)))))))) + (0.5 * (xi_3 * ((((_lio_5 * ((G1 * G2) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G1 * velocity_3(M1, M2, M3, G1, G2, G3)))) - ((((_lio_5 * ((_brian_pow(G2, 2)) * velocity_1(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_1(M1, M2, M3, G1, G2, G3))))));
        const double _M3 = (((((M3 + (0.5 * (__g_support_M3_xi_1 * xi_1))) + (0.5 * (__g_support_M3_xi_2 * xi_2))) + (_lio_22 * xi_3)) + (dt * (((((_lio_13 * (((- (_brian_pow(G1, 2))) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_13 * ((G1 * G2) * (_brian_pow(velocity_1(M1, M2, M3, G1, G2, G3), 2))))) + (_lio_13 * (((_brian_pow(G2, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_13 * (((G2 * G3) * velocity_1(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3)))) - ((_lio_13 * ((G1 * G2) * (_brian_pow(velocity_2(M1, M2, M3, G1, G2, G3), 2)))) + (_lio_13 * (((G1 * G3) * velocity_2(M1, M2, M3, G1, G2, G3)) * velocity_3(M1, M2, M3, G1, G2, G3))))))) + (0.5 * (xi_1 * (((((_lio_4 * ((_brian_pow(G1, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((G1 * G2) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((G2 * G3) * velocity_3(M1, M2, M3, G1, G2, G3)))) + (_lio_10 * (G2 * velocity_3(M1, M2, M3, G1, G2, G3)))) - (((_lio_5 * ((_brian_pow(G3, 2)) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_8 * (G3 * velocity_2(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_2(M1, M2, M3, G1, G2, G3))))))) + (0.5 * (xi_2 * ((((((_lio_4 * ((G1 * G2) * velocity_2(M1, M2, M3, G1, G2, G3))) + (_lio_5 * ((_brian_pow(G2, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_5 * ((_brian_pow(G3, 2)) * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_8 * (G3 * velocity_1(M1, M2, M3, G1, G2, G3)))) + (_lio_9 * velocity_1(M1, M2, M3, G1, G2, G3))) - ((_lio_5 * ((G1 * G3) * velocity_3(M1, M2, M3, G1, G2, G3))) + (_lio_10 * (G1 * velocity_3(M1, M2, M3, G1, G2, G3)))))));
        G1 = _G1;
        G2 = _G2;
        G3 = _G3;
        M1 = _M1;
        M2 = _M2;
        M3 = _M3;
        _ptr_array_paths_G1[_idx] = G1;
        _ptr_array_paths_G2[_idx] = G2;
        _ptr_array_paths_G3[_idx] = G3;
        _ptr_array_paths_M1[_idx] = M1;
        _ptr_array_paths_M2[_idx] = M2;
        _ptr_array_paths_M3[_idx] = M3;

    }

}


