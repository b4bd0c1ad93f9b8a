

#include "objects.h"
#include "synapses_classes.h"
#include "brianlib/clocks.h"
#include "brianlib/dynamic_array.h"
#include "brianlib/stdint_compat.h"
#include "network.h"
#include<random>
#include<vector>
#include<iostream>
#include<fstream>
#include<map>
#include<tuple>
#include<cstdlib>
#include<string>

namespace brian {

std::string results_dir = "results/";  // can be overwritten by --results_dir command line arg

// For multhreading, we need one generator for each thread. We also create a distribution for
// each thread, even though this is not strictly necessary for the uniform distribution, as
// the distribution is stateless.
std::vector< RandomGenerator > _random_generators;

//////////////// networks /////////////////
Network magicnetwork;

void set_variable_from_value(std::string varname, char* var_pointer, size_t size, char value) {
    #ifdef DEBUG
    std::cout << "Setting '" << varname << "' to " << (value == 1 ? "True" : "False") << std::endl;
    #endif
    std::fill(var_pointer, var_pointer+size, value);
}

template<class T> void set_variable_from_value(std::string varname, T* var_pointer, size_t size, T value) {
    #ifdef DEBUG
    std::cout << "Setting '" << varname << "' to " << value << std::endl;
    #endif
    std::fill(var_pointer, var_pointer+size, value);
}

template<class T> void set_variable_from_file(std::string varname, T* var_pointer, size_t data_size, std::string filename) {
    ifstream f;
    streampos size;
    #ifdef DEBUG
    std::cout << "Setting '" << varname << "' from file '" << filename << "'" << std::endl;
    #endif
    f.open(filename, ios::in | ios::binary | ios::ate);
    size = f.tellg();
    if (size != data_size) {
        std::cerr << "Error reading '" << filename << "': file size " << size << " does not match expected size " << data_size << std::endl;
        return;
    }
    f.seekg(0, ios::beg);
    if (f.is_open())
        f.read(reinterpret_cast<char *>(var_pointer), data_size);
    else
        std::cerr << "Could not read '" << filename << "'" << std::endl;
    if (f.fail())
        std::cerr << "Error reading '" << filename << "'" << std::endl;
}

//////////////// set arrays by name ///////
void set_variable_by_name(std::string name, std::string s_value) {
    size_t var_size;
    size_t data_size;
    // C-style or Python-style capitalization is allowed for boolean values
    if (s_value == "true" || s_value == "True")
        s_value = "1";
    else if (s_value == "false" || s_value == "False")
        s_value = "0";
    // non-dynamic arrays
    if (name == "paths.G1") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_G1, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_G1, data_size, s_value);
        }
        return;
    }
    if (name == "paths.G2") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_G2, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_G2, data_size, s_value);
        }
        return;
    }
    if (name == "paths.G3") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_G3, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_G3, data_size, s_value);
        }
        return;
    }
    if (name == "paths.M1") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_M1, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_M1, data_size, s_value);
        }
        return;
    }
    if (name == "paths.M2") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_M2, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_M2, data_size, s_value);
        }
        return;
    }
    if (name == "paths.M3") {
        var_size = 1000;
        data_size = 1000*sizeof(double);
        if (s_value[0] == '-' || (s_value[0] >= '0' && s_value[0] <= '9')) {
            // set from single value
            set_variable_from_value<double>(name, _array_paths_M3, var_size, (double)atof(s_value.c_str()));

        } else {
            // set from file
            set_variable_from_file(name, _array_paths_M3, data_size, s_value);
        }
        return;
    }
    // dynamic arrays (1d)
    std::cerr << "Cannot set unknown variable '" << name << "'." << std::endl;
    exit(1);
}
//////////////// arrays ///////////////////
double * _array_defaultclock_dt;
const int _num__array_defaultclock_dt = 1;
double * _array_defaultclock_t;
const int _num__array_defaultclock_t = 1;
int64_t * _array_defaultclock_timestep;
const int _num__array_defaultclock_timestep = 1;
double * _array_paths_G1;
const int _num__array_paths_G1 = 1000;
double * _array_paths_G2;
const int _num__array_paths_G2 = 1000;
double * _array_paths_G3;
const int _num__array_paths_G3 = 1000;
int32_t * _array_paths_i;
const int _num__array_paths_i = 1000;
double * _array_paths_M1;
const int _num__array_paths_M1 = 1000;
double * _array_paths_M2;
const int _num__array_paths_M2 = 1000;
double * _array_paths_M3;
const int _num__array_paths_M3 = 1000;

//////////////// dynamic arrays 1d /////////

//////////////// dynamic arrays 2d /////////

/////////////// static arrays /////////////

//////////////// synapses /////////////////

//////////////// clocks ///////////////////
Clock defaultclock;  // attributes will be set in run.cpp

// Profiling information for each code object
}

void _init_arrays()
{
    using namespace brian;

    // Arrays initialized to 0
    _array_defaultclock_dt = new double[1];
    
    for(int i=0; i<1; i++) _array_defaultclock_dt[i] = 0;

    _array_defaultclock_t = new double[1];
    
    for(int i=0; i<1; i++) _array_defaultclock_t[i] = 0;

    _array_defaultclock_timestep = new int64_t[1];
    
    for(int i=0; i<1; i++) _array_defaultclock_timestep[i] = 0;

    _array_paths_G1 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_G1[i] = 0;

    _array_paths_G2 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_G2[i] = 0;

    _array_paths_G3 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_G3[i] = 0;

    _array_paths_i = new int32_t[1000];
    
    for(int i=0; i<1000; i++) _array_paths_i[i] = 0;

    _array_paths_M1 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_M1[i] = 0;

    _array_paths_M2 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_M2[i] = 0;

    _array_paths_M3 = new double[1000];
    
    for(int i=0; i<1000; i++) _array_paths_M3[i] = 0;


    // Arrays initialized to an "arange"
    _array_paths_i = new int32_t[1000];
    
    for(int i=0; i<1000; i++) _array_paths_i[i] = 0 + i;


    // static arrays

    // Random number generator states
    std::random_device rd;
    for (int i=0; i<1; i++)
        _random_generators.push_back(RandomGenerator());
}

void _load_arrays()
{
    using namespace brian;

}

void _write_arrays()
{
    using namespace brian;

    ofstream outfile__array_defaultclock_dt;
    outfile__array_defaultclock_dt.open(results_dir + "_array_defaultclock_dt_1978099143", ios::binary | ios::out);
    if(outfile__array_defaultclock_dt.is_open())
    {
        outfile__array_defaultclock_dt.write(reinterpret_cast<char*>(_array_defaultclock_dt), 1*sizeof(_array_defaultclock_dt[0]));
        outfile__array_defaultclock_dt.close();
    } else
    {
        std::cout << "Error writing output file for _array_defaultclock_dt." << endl;
    }
    ofstream outfile__array_defaultclock_t;
    outfile__array_defaultclock_t.open(results_dir + "_array_defaultclock_t_2669362164", ios::binary | ios::out);
    if(outfile__array_defaultclock_t.is_open())
    {
        outfile__array_defaultclock_t.write(reinterpret_cast<char*>(_array_defaultclock_t), 1*sizeof(_array_defaultclock_t[0]));
        outfile__array_defaultclock_t.close();
    } else
    {
        std::cout << "Error writing output file for _array_defaultclock_t." << endl;
    }
    ofstream outfile__array_defaultclock_timestep;
    outfile__array_defaultclock_timestep.open(results_dir + "_array_defaultclock_timestep_144223508", ios::binary | ios::out);
    if(outfile__array_defaultclock_timestep.is_open())
    {
        outfile__array_defaultclock_timestep.write(reinterpret_cast<char*>(_array_defaultclock_timestep), 1*sizeof(_array_defaultclock_timestep[0]));
        outfile__array_defaultclock_timestep.close();
    } else
    {
        std::cout << "Error writing output file for _array_defaultclock_timestep." << endl;
    }
    ofstream outfile__array_paths_G1;
    outfile__array_paths_G1.open(results_dir + "_array_paths_G1_1892216611", ios::binary | ios::out);
    if(outfile__array_paths_G1.is_open())
    {
        outfile__array_paths_G1.write(reinterpret_cast<char*>(_array_paths_G1), 1000*sizeof(_array_paths_G1[0]));
        outfile__array_paths_G1.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_G1." << endl;
    }
    ofstream outfile__array_paths_G2;
    outfile__array_paths_G2.open(results_dir + "_array_paths_G2_3921788569", ios::binary | ios::out);
    if(outfile__array_paths_G2.is_open())
    {
        outfile__array_paths_G2.write(reinterpret_cast<char*>(_array_paths_G2), 1000*sizeof(_array_paths_G2[0]));
        outfile__array_paths_G2.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_G2." << endl;
    }
    ofstream outfile__array_paths_G3;
    outfile__array_paths_G3.open(results_dir + "_array_paths_G3_2663812623", ios::binary | ios::out);
    if(outfile__array_paths_G3.is_open())
    {
        outfile__array_paths_G3.write(reinterpret_cast<char*>(_array_paths_G3), 1000*sizeof(_array_paths_G3[0]));
        outfile__array_paths_G3.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_G3." << endl;
    }
    ofstream outfile__array_paths_i;
    outfile__array_paths_i.open(results_dir + "_array_paths_i_1906823645", ios::binary | ios::out);
    if(outfile__array_paths_i.is_open())
    {
        outfile__array_paths_i.write(reinterpret_cast<char*>(_array_paths_i), 1000*sizeof(_array_paths_i[0]));
        outfile__array_paths_i.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_i." << endl;
    }
    ofstream outfile__array_paths_M1;
    outfile__array_paths_M1.open(results_dir + "_array_paths_M1_2317813673", ios::binary | ios::out);
    if(outfile__array_paths_M1.is_open())
    {
        outfile__array_paths_M1.write(reinterpret_cast<char*>(_array_paths_M1), 1000*sizeof(_array_paths_M1[0]));
        outfile__array_paths_M1.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_M1." << endl;
    }
    ofstream outfile__array_paths_M2;
    outfile__array_paths_M2.open(results_dir + "_array_paths_M2_321803795", ios::binary | ios::out);
    if(outfile__array_paths_M2.is_open())
    {
        outfile__array_paths_M2.write(reinterpret_cast<char*>(_array_paths_M2), 1000*sizeof(_array_paths_M2[0]));
        outfile__array_paths_M2.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_M2." << endl;
    }
    ofstream outfile__array_paths_M3;
    outfile__array_paths_M3.open(results_dir + "_array_paths_M3_1680434821", ios::binary | ios::out);
    if(outfile__array_paths_M3.is_open())
    {
        outfile__array_paths_M3.write(reinterpret_cast<char*>(_array_paths_M3), 1000*sizeof(_array_paths_M3[0]));
        outfile__array_paths_M3.close();
    } else
    {
        std::cout << "Error writing output file for _array_paths_M3." << endl;
    }


    // Write last run info to disk
    ofstream outfile_last_run_info;
    outfile_last_run_info.open(results_dir + "last_run_info.txt", ios::out);
    if(outfile_last_run_info.is_open())
    {
        outfile_last_run_info << (Network::_last_run_time) << " " << (Network::_last_run_completed_fraction) << std::endl;
        outfile_last_run_info.close();
    } else
    {
        std::cout << "Error writing last run info to file." << std::endl;
    }
}

void _dealloc_arrays()
{
    using namespace brian;


    // static arrays
}

